"""Published servers beyond those of the tests: installed on demand, called, labelled, scored."""
