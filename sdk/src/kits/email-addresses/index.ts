export { emailAddress, type Mailbox, mailbox } from './email-address.js'
export { isGreetingName } from './greeting.js'
