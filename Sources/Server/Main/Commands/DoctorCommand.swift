import ArgumentParser
import FeedCore
import FeedTerminal

/// `feedserver doctor`.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check the data folder, the configuration and the machine.",
        discussion: """
            Takes the options of serve, and prints one line per check: ok, warning or problem, and what to do. Nothing \
            is changed. The exit code is 1 if there is a problem.
            """)

    @OptionGroup var data: DataOptions
    @OptionGroup var options: ServeOptions

    func validate() throws { try Failure.exiting { _ = try options.resolved() } }

    func run() async throws {
        try await Failure.reported {
            let facts = try await DoctorFacts.gather(data, try options.resolved())
            let findings = DoctorCheck.all.compactMap { check in check.run(facts).map { (check.name, $0) } }
            for (name, finding) in findings { print(Self.line(name, finding)) }
            if findings.contains(where: { $0.1.level == .problem }) { throw ExitCode(1) }
        }
    }

    private static func line(_ name: String, _ finding: DoctorFinding) -> String {
        let level = TextWidth.padded(finding.level.rawValue, to: 9)
        let remedy = finding.remedy.map { ". " + $0 } ?? ""
        return level + SafeText.line("\(name): \(finding.message)\(remedy)")
    }
}
