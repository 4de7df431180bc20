package com.sun.security.auth.module;

/**
 * Stands in for Java's class of this name where an account has no line in passwd: see settings.py in spark/cluster.
 * javac -g:none --patch-module jdk.security.auth=. -source 17 -target 17 com/sun/security/auth/module/UnixSystem.java
 */
public class UnixSystem {
    protected String username = System.getProperty("user.name");
    protected long uid = Long.getLong("exactly_once.uid", 0), gid;
    protected long[] groups = {};

    public String getUsername() { return username; }
    public long getUid() { return uid; }
    public long getGid() { return gid; }
    public long[] getGroups() { return groups; }
}
