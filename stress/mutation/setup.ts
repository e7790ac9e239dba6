import fc from 'fast-check';

// A fixed seed, because detecting a mutation must not depend on chance. Nobody reads the
// counterexample, so it is not minimised.
fc.configureGlobal({ seed: 20261121, endOnFailure: true });
