import { describeCanaries } from './support/canaries.js'

describeCanaries('sqlite')
