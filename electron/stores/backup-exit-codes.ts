/** How the program that makes a backup says what became of it. Every other code is a failure. */
export const backupExitCodes = { good: 0, unsound: 3, outrun: 4 } as const
