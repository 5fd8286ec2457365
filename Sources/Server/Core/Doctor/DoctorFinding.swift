/// The outcome of a check of `feedserver doctor`.
package struct DoctorFinding: Sendable, Equatable {
    package enum Level: String, Sendable { case ok, warning, problem }

    package let level: Level
    package let message: String
    /// What to do about it.
    package let remedy: String?

    static func ok(_ message: String) -> DoctorFinding { DoctorFinding(level: .ok, message: message, remedy: nil) }

    static func warning(_ message: String, _ remedy: String) -> DoctorFinding {
        DoctorFinding(level: .warning, message: message, remedy: remedy)
    }

    static func problem(_ message: String, _ remedy: String) -> DoctorFinding {
        DoctorFinding(level: .problem, message: message, remedy: remedy)
    }
}
