import { AppError } from '../../shared/errors.ts'

export const unknownConversation = () =>
  new AppError('conversation.unknown', 'This conversation is not there any more.')

export const unknownRun = () => new AppError('run.unknown', 'This run is not there any more.')

export const unknownAttempt = () => new AppError('attempt.unknown', 'This turn is not there any more.')
