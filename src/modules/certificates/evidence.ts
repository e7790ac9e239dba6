/** Where a signature's evidence is first written: in the transaction of the signature itself (signing/service.ts). */
export { insertSignature, insertSnapshot } from './repository';
