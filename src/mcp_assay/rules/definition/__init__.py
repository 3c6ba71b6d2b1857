"""What a server lists, judged: tools, resources, templates and prompts as they are defined."""
