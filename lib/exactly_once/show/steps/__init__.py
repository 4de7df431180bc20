"""A run step by step: in which `order`, what each store holds then, and each moment as `text` and as `html`."""
