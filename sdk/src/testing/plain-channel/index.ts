export { createPlainChannel, type PlainChannel } from './create-plain-channel.js'
