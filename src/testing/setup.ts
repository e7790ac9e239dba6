/** In CI the property-based tests use one seed, so that a change is judged by itself; elsewhere each run looks further. */
import fc from 'fast-check';

if (process.env.CI) fc.configureGlobal({ seed: 20261121 });
