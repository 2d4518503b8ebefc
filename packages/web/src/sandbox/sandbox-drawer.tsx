export default function SandboxDrawer() {
  return <p>Sandbox</p>;
}
