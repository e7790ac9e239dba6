import fc from 'fast-check';

// The seed is fixed, so that detecting a mutation does not depend on chance. Counterexamples are
// not minimised, because nobody reads them.
fc.configureGlobal({ seed: 20261121, endOnFailure: true });
