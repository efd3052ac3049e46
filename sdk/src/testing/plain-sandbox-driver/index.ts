export * from './plain-sandbox-driver.js'
