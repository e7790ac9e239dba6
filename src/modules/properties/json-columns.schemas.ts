/** JSON columns of properties (shared/json-column.ts). */
import { defineJsonColumn } from '@/shared/json-column';
import { Metadata } from '@/shared/metadata';

export const propertyMetadataJsonColumn = defineJsonColumn<Metadata>('Property.metadata', Metadata);
