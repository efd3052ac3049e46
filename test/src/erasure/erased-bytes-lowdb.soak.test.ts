import { describeErasedBytes } from './support/erased-bytes.js'

describeErasedBytes('lowdb')
