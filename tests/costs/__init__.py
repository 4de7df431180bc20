"""What a guarantee costs: counted, predicted, and measured."""
