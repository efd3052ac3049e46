export { collectOpened, type Opened, openTestClient, startTestServer, type TestClientOptions, type TestServer } from './open-test-client.js'
export { testCertificate, testKey } from './test-certificate.js'
