/// Decides when changed certificate files are loaded.
///
/// The certificate and its key are two files, which no program replaces at the same instant. So a change is loaded once
/// the files have stayed the same for one observation.
struct CertificateReload<Stamp: Equatable & Sendable>: Sendable {
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
