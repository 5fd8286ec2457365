import FeedAPI
import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// Finds out why the certificate of a server is not trusted, which the error of the connection does not tell. It repeats
/// the TLS handshake, looks at the certificates and closes; nothing is sent.
enum CertificateProbe {
    private static let limit = TimeAmount.seconds(Int64(Timeout.seconds(10)))

    /// - Returns: `nil` if the server does not show a certificate.
    static func problem(of url: String) async -> CertificateProblem? {
        guard let url = URL(string: url), url.scheme?.lowercased() == "https", let host = url.host() else { return nil }
        // The host of an IPv6 address has brackets.
        let name = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        let chain = await chain(of: name, port: url.port ?? 443)
        return CertificateProblem(chain: chain, now: Int(Date().timeIntervalSince1970))
    }

    private static func chain(of host: String, port: Int) async -> [NIOSSLCertificate] {
        let found = FoundChain()
        guard let context = try? NIOSSLContext(configuration: .makeClientConfiguration()) else { return [] }
        let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(limit)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = try NIOSSLClientHandler(
                        context: context, serverHostname: isAddress(host) ? nil : host,
                        customVerificationCallback: { chain, result in
                            found.chain.withLock { $0 = chain }
                            result.succeed(.failed)
                        })
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
        guard let channel = try? await bootstrap.connect(host: host, port: port).get() else { return [] }
        let timeout = channel.eventLoop.scheduleTask(in: limit) { channel.close(promise: nil) }
        // The handshake fails as soon as the certificates have been seen, which closes the connection.
        try? await channel.closeFuture.get()
        timeout.cancel()
        return found.chain.withLock { $0 }
    }

    /// Server name indication does not permit addresses.
    private static func isAddress(_ host: String) -> Bool {
        (try? SocketAddress(ipAddress: host, port: 0)) != nil
    }

    private final class FoundChain: Sendable {
        let chain = Mutex<[NIOSSLCertificate]>([])
    }
}
