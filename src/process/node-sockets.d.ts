// What node:net and node:tls take, out of @types/node: a test holds it against that, and UPDATE_GOLDEN=1 writes it.

export interface TcpNetConnectOpts {
  onread?: unknown;
  port?: number;
  host?: string;
  localAddress?: string;
  localPort?: number;
  hints?: number;
  family?: number;
  lookup?: () => void;
  noDelay?: boolean;
  keepAlive?: boolean;
  keepAliveInitialDelay?: number;
  autoSelectFamily?: boolean;
  autoSelectFamilyAttemptTimeout?: number;
  fd?: number;
  allowHalfOpen?: boolean;
  readable?: boolean;
  writable?: boolean;
  signal?: () => void;
  timeout?: number;
}

export interface IpcNetConnectOpts {
  onread?: unknown;
  path?: string;
  fd?: number;
  allowHalfOpen?: boolean;
  readable?: boolean;
  writable?: boolean;
  signal?: () => void;
  timeout?: number;
}

export interface ConnectionOptions {
  ALPNCallback?: () => void;
  allowPartialTrustChain?: boolean;
  ca?: string | (() => void) | Array<string | (() => void)>;
  cert?: string | (() => void) | Array<string | (() => void)>;
  sigalgs?: string;
  ciphers?: string;
  clientCertEngine?: string;
  crl?: string | (() => void) | Array<string | (() => void)>;
  dhparam?: string | (() => void);
  ecdhCurve?: string;
  honorCipherOrder?: boolean;
  key?: string | (() => void) | Array<unknown>;
  privateKeyEngine?: string;
  privateKeyIdentifier?: string;
  maxVersion?: 'TLSv1.3' | 'TLSv1.2' | 'TLSv1.1' | 'TLSv1';
  minVersion?: 'TLSv1.3' | 'TLSv1.2' | 'TLSv1.1' | 'TLSv1';
  passphrase?: string;
  pfx?: string | (() => void) | Array<unknown>;
  secureOptions?: number;
  secureProtocol?: string;
  sessionIdContext?: string;
  ticketKeys?: () => void;
  sessionTimeout?: number;
  secureContext?: unknown;
  enableTrace?: boolean;
  requestCert?: boolean;
  ALPNProtocols?: unknown;
  SNICallback?: () => void;
  rejectUnauthorized?: boolean;
  host?: string;
  port?: number;
  path?: string;
  socket?: unknown;
  checkServerIdentity?: unknown;
  servername?: string;
  session?: () => void;
  minDHSize?: number;
  lookup?: unknown;
  timeout?: number;
  pskCallback?: () => void;
}

export type SocketConnectOpts = TcpNetConnectOpts | IpcNetConnectOpts;
