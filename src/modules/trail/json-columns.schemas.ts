/** The JSON column of the trail. */
import { z } from 'zod';
import { jsonColumn } from '@/shared/json-column';
import type { TrailEntry } from './chain';

/** What no entry can have held reads as nothing: then the chain's hash shows that it was changed, instead of a failure. */
export const trailData = jsonColumn<TrailEntry['data']>(
  'TrailEntry.data',
  z.record(z.string(), z.custom<TrailEntry['data'][string]>()).catch({}),
);
