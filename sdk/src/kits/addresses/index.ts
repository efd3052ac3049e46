export { type AddressClass, classifyAddress, plainAddress } from './classify-address.js'
