/** Takes the focus to what waits for the person. Browsers, systems and input methods leave it free, and it types nothing. */
export const cardKey = 'F2'
