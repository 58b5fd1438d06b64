// The types of socket.io-client 2 that the tests use; it ships none.
declare module 'socket.io-client-2' {
	export default function io(url: string, options: object): unknown;
}
