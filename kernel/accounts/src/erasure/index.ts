export { presentNames } from './account-names.js'
export { createUserErasure, type UserErasure } from './user-erasure.js'
