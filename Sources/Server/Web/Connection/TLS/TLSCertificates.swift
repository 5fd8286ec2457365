package import FeedCore
import NIOSSL
import Synchronization

/// The certificate and the key of this server, which can be replaced while it runs: each new connection uses the current
/// pair, and existing ones keep theirs. Loading reads the disk, so it must not run on an event loop.
package final class TLSCertificates: Sendable {
    /// The result of loading the files again.
    package enum Outcome: Sendable {
        /// The new pair is in use until `expires`, in seconds since 1970.
        case loaded(expires: Int64)
        /// The previous pair stays in use.
        case kept(FeedError)
    }

    private struct State {
        var current: CertificateFiles.Loaded
        var reload: CertificateReloadRule<[FileStamp?]>
        /// The latest failure; `nil` after a success.
        var failure: String?
    }

    private let files: CertificateFiles
    private let state: Mutex<State>

    /// - Parameters:
    ///   - certificate: The path of the certificate chain.
    ///   - key: The path of the private key.
    /// - Throws: ``FeedError`` if the pair cannot be used.
    package init(certificate: String, key: String) throws(FeedError) {
        files = CertificateFiles(certificate: certificate, key: key)
        let stamps = files.stamps
        state = Mutex(State(current: try files.load(), reload: CertificateReloadRule(loaded: stamps)))
    }

    /// For a new connection.
    var context: NIOSSLContext { state.withLock { $0.current.context } }

    /// The end of the certificate's validity, in seconds since 1970.
    package var expires: Int64 { state.withLock { $0.current.expires } }

    /// Loads the files again.
    @discardableResult package func reload() -> Outcome {
        let stamps = files.stamps
        state.withLock { $0.reload.attempted(stamps) }
        do {
            let loaded = try files.load()
            state.withLock { ($0.current, $0.failure) = (loaded, nil) }
            return .loaded(expires: loaded.expires)
        } catch {
            state.withLock { state in
                state.failure = error.description
                if error.kind == .unavailable { state.reload.couldNotRead() }
            }
            return .kept(error)
        }
    }

    /// Loads the files again if they have changed since the last attempt, or could not be read. To be called regularly.
    /// - Returns: `nil` if there is nothing to do yet, or if the same failure has occurred again.
    package func reloadIfChanged() -> Outcome? {
        let stamps = files.stamps
        let (isDue, failure) = state.withLock { ($0.reload.observe(stamps), $0.failure) }
        guard isDue else { return nil }
        let outcome = reload()
        if case .kept(let error) = outcome, error.kind == .unavailable, error.description == failure { return nil }
        return outcome
    }
}

/// Decides when changed certificate files are loaded.
///
/// The certificate and its key are two files, which no program replaces at the same instant. So a change is loaded once
/// the files have stayed the same for one observation.
struct CertificateReloadRule<Stamp: Equatable & Sendable>: Sendable {
    /// The files of the latest attempt, whether it succeeded or failed; `nil` if they could not be read.
    private var loaded: Stamp?
    private var changed: Stamp?

    init(loaded: Stamp) { self.loaded = loaded }

    /// - Returns: Whether the files must be loaded now. Files that are invalid are not tried again until they change.
    mutating func observe(_ stamp: Stamp) -> Bool {
        guard stamp != loaded else {
            changed = nil
            return false
        }
        guard stamp == changed else {
            changed = stamp
            return false
        }
        attempted(stamp)
        return true
    }

    /// The files are loaded for another reason.
    mutating func attempted(_ stamp: Stamp) {
        loaded = stamp
        changed = nil
    }

    /// The files could not be read, for example for lack of descriptors. They are tried again even if they stay the same.
    mutating func couldNotRead() { loaded = nil }
}
