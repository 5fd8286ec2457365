import FeedAPI
import FeedCore
import FeedWeb
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// Loads the certificate again when its files change, or on SIGHUP.
struct CertificateReload: Service {
    private static let interval = Duration.seconds(2)

    let certificates: TLSCertificates
    let logger: Logger

    func run() async throws {
        logExpired()
        try? await cancelWhenGracefulShutdown {
            while true {
                try await Task.sleep(for: Self.interval)
                await load { certificates.reloadIfChanged() }
            }
        }
    }

    /// Loads the certificate on SIGHUP.
    var reload: ReloadAction { ReloadAction { await load { certificates.reload() } } }

    private func load(_ body: @escaping @Sendable () -> TLSCertificates.Outcome?) async {
        // Reads the disk.
        let outcome = try? await NIOSingletons.posixBlockingThreadPool.runIfActive(body)
        if let outcome = outcome.flatMap(\.self) { log(outcome) }
    }

    private func log(_ outcome: TLSCertificates.Outcome) {
        switch outcome {
        case .loaded(let expires):
            logger.notice("loaded the certificate", metadata: ["expires": "\(Self.text(expires))"])
            logExpired()
        case .kept(let error):
            logger.error(
                "cannot load the new certificate; the previous one stays in use", metadata: ["error": "\(error)"])
        }
    }

    private func logExpired() {
        let expires = certificates.expires
        guard expires <= WallClock.system.now() / 1000 else { return }
        logger.warning("the certificate has expired", metadata: ["expires": "\(Self.text(expires))"])
    }

    private static func text(_ seconds: Int64) -> String {
        ISO8601.text(milliseconds: seconds.multipliedReportingOverflow(by: 1000).partialValue)
    }
}
