import { NewAccount } from '../sign-in/new-account.js'

export default NewAccount
