import fc from 'fast-check';

// One seed: whether a mutation is noticed must not be a matter of chance. Nobody reads the example, so none is made smaller.
fc.configureGlobal({ seed: 20261121, endOnFailure: true });
