import ArgumentParser
import FeedCore

/// The options of `serve` that determine who may sign up.
struct RegistrationOptions: ParsableArguments {
    @Option(
        help: .init(
            "Who may sign up: closed (nobody), open (everyone), approval (everyone, after feedserver account approve) or "
                + "invite (see feedserver invite) (default: closed).", valueName: "mode"))
    var registration: RegistrationPolicy.Mode?
    @Flag(help: "Allow everyone to sign up; the same as --registration open.") var openRegistration = false

    /// The effective policy. Options take precedence over the environment.
    /// - Throws: `ValidationError` if two settings of the same origin contradict each other, or for an invalid name.
    func resolved(_ environment: ServerEnvironment) throws -> RegistrationPolicy {
        let given = try Self.mode(registration, isOpen: openRegistration)
        return RegistrationPolicy(
            mode: try given ?? Self.preset(environment) ?? .closed,
            blockedNames: try Self.names(environment["blocked-names"]))
    }

    /// The mode in the environment, which takes precedence over that in the configuration file.
    private static func preset(_ environment: ServerEnvironment) throws -> RegistrationPolicy.Mode? {
        let origins = [
            ServerEnvironment(variables: environment.variables),
            ServerEnvironment(variables: [:], file: environment.file),
        ]
        for origin in origins {
            let found = try mode(origin.value("registration"), isOpen: origin.flag("open-registration"))
            if let found { return found }
        }
        return nil
    }

    private static func mode(_ mode: RegistrationPolicy.Mode?, isOpen: Bool) throws -> RegistrationPolicy.Mode? {
        guard isOpen else { return mode }
        guard let mode, mode != .open else { return .open }
        throw ValidationError("--open-registration contradicts --registration \(mode.rawValue).")
    }

    private static func names(_ text: String?) throws -> Set<String> {
        let names = (text ?? "").split { $0 == "," || $0.isWhitespace }.map(String.init)
        guard let invalid = names.first(where: { (try? Username.check($0)) == nil }) else { return Set(names) }
        throw ValidationError("FEEDSERVER_BLOCKED_NAMES: \(invalid) is not a user name.")
    }
}

extension RegistrationPolicy.Mode: ExpressibleByArgument {}
