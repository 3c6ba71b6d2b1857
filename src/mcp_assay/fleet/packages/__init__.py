"""From the name of a package to a program that can be started, without trusting anybody."""
