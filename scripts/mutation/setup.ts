import fc from 'fast-check';

// One seed: whether a mutation is noticed must not be a matter of chance.
fc.configureGlobal({ seed: 20261121 });
