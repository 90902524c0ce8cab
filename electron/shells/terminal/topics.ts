/** What a rehearsal talks about when nobody says. */
export const defaultTopic = 'Redis or Postgres for the job queue of a small team?'

export const suggestedTopics: readonly string[] = [
  defaultTopic,
  'Should a small team keep all its code in one repository?',
  'Should tests be written before the code they test?',
]
