export { presentNames } from './account-names.js'
export { createSealedNames, type SealedNames } from './sealed-names.js'
export { createUserErasure, type UserErasure } from './user-erasure.js'
