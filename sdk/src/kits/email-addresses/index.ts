export { emailAddress, type Mailbox, mailbox } from './email-address.js'
