/** What a rehearsal talks about when nobody says. */
export const defaultTopic = 'Should a small team keep all its code in one repository?'

export const suggestedTopics: readonly string[] = [
  defaultTopic,
  'Is it better to rewrite an old service or to mend it step by step?',
  'Should tests be written before the code they test?',
]
