export { type ChatPartSuiteOptions, type ChatPartUnderTest, describeChatPart } from './describe-chat-part.js'
