export * from './describe-sandbox-driver.js'
