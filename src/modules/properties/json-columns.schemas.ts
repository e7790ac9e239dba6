/** JSON columns of properties (shared/json-column.ts). */
import { jsonColumn } from '@/shared/json-column';
import { Metadata } from '@/shared/metadata';

export const propertyMetadata = jsonColumn<Metadata>('Property.metadata', Metadata);
