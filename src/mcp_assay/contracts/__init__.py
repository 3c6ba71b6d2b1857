"""What a server promises, kept as tests: its checks one by one, its learned contract, mutations."""
