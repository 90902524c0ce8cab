/** Under which name it is kept, among the facts about the stored data, that a conversation was opened from a file. */
export const importKey = (conversationId: string) => `import:${conversationId}`
