export { type AddressClass, classifyAddress, plainAddress } from './classify-address.js'
export { createMissLimit, type MissLimit } from './miss-limit.js'
