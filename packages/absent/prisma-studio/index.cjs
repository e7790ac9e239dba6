// Empty on purpose. package.json contains the reason.
