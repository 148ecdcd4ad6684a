import { WebSocketGateway } from '@nestjs/websockets';
import { WEBSOCKET_PATH } from './adapter/socket.adapter';
import { LiveGateway } from './live.gateway';

/** The same under the name that clients take from websocket_url: `io(websocket_url)`. */
@WebSocketGateway({ namespace: WEBSOCKET_PATH })
export class NamedLiveGateway extends LiveGateway {}
