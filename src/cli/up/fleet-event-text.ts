/** What happens to a local fleet, as lines for people. */
import type { FleetEvent } from '../../local-fleet/fleet-event.ts';

export function fleetEventText(event: FleetEvent): string {
  switch (event.kind) {
    case 'server-search':
      return event.said;
    case 'waiting':
      return `Waiting for ${event.missing.join(', ')} …`;
    case 'servers-apart':
      return `zester: the ${event.count} NATS servers have not all come together; see \`zester doctor\``;
    case 'server-lost':
      return `zester: ${event.name} is not started any more, the fleet goes on without it: ${event.error.message}`;
  }
}
