// Expectations that wait long enough for a machine that does other things, also outside of the tests.

import { expect as impatient } from '@playwright/test';

export const expect = impatient.configure({ timeout: 60_000 });
