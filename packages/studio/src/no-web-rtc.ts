/**
 * Switches WebRTC off. A content security policy forbids all other connections (`connect-src 'none'`), and browsers have no
 * directive that they follow for this one. It is switched off before anything else runs and can't be switched on again in this
 * document. Code that could make a document of its own, such as an injected script, isn't stopped by it.
 * @module
 */

const CONNECTIONS = ["RTCPeerConnection", "webkitRTCPeerConnection", "RTCDataChannel", "RTCIceTransport"];

export function switchOffWebRtc(place: object = globalThis): void {
  for (const name of CONNECTIONS)
    Object.defineProperty(place, name, { value: undefined, writable: false, configurable: false });
}
