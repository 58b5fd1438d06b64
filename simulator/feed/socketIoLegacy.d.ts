// Socket.IO 1.7 and 2.5 were published without types.
declare module 'socket.io-1' {
	export default function (http: object, options: object): unknown;
}
declare module 'socket.io-2' {
	export default function (http: object, options: object): unknown;
}
