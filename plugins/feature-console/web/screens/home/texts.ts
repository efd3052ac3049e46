import { defineMessages } from '../../i18n/messages.js'

export const t = defineMessages({
  en: {
    no_chats: 'No chats yet',
    no_chats_text: 'A chat is where you ask an agent for something and see what it does.',
    question: 'What should get done?',
    recent: 'Recent',
    untitled: 'New chat',
  },
  de: {
    no_chats: 'Noch keine Chats',
    no_chats_text: 'In einem Chat bittest du einen Agenten um etwas und siehst, was er tut.',
    question: 'Was steht an?',
    recent: 'Zuletzt',
    untitled: 'Neuer Chat',
  },
})
