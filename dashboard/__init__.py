"""The workbench: what authors of a tool registry see and edit, over curator_core's public names."""
