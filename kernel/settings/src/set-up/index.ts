export { openSetUp, type SetUp, setUpToken } from './open-set-up.js'
