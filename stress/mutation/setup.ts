import fc from 'fast-check';

// The seed is fixed, because detecting a mutation must not depend on chance. Counterexamples are
// not minimised, because nobody reads them.
fc.configureGlobal({ seed: 20261121, endOnFailure: true });
