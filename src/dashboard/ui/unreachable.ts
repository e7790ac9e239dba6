import { whenUnreachable } from '../read-error';
import { toast } from './overlay/toaster';

/** A part of the page could not be loaded: what was asked for can be asked for again. */
export const tellUnreachable = () => toast.error(whenUnreachable());
