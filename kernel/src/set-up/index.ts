export { openSetUp, type SetUp } from './open-set-up.js'
