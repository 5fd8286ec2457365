/// The version of the programs in this repository, and of their Debian packages.
package enum FeedVersion {
    /// A [semantic version](https://semver.org). CONTRIBUTING.md says what else a release changes.
    package static let current = "0.1.0"
}
